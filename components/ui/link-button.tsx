import Link from 'next/link';
import { type ComponentProps } from 'react';
import { buttonLook, type ButtonLook } from './button-look';
import { classNames } from './class-names';

/** A link that looks like a button: it goes somewhere and changes nothing. */
export function LinkButton({ look, size, className, ...rest }: ComponentProps<typeof Link> & ButtonLook) {
  return <Link {...rest} className={classNames(buttonLook({ look, size }), className)} />;
}
