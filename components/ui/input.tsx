import { type ComponentProps } from 'react';
import { classNames } from './class-names';
import { CONTROL, CONTROL_LINE } from './control-look';

/** One line of text. Inside a `Field` its label, hint and error are wired by the field's render function. */
export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input autoComplete="off" {...rest} className={classNames(CONTROL, CONTROL_LINE, className)} />;
}
