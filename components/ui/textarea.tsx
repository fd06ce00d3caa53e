import { type ComponentProps } from 'react';
import { classNames } from './class-names';
import { CONTROL } from './control-look';

/** Several lines of text; grows with it where the browser can. */
export function Textarea({ className, ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea
      rows={3}
      {...rest}
      className={classNames(
        CONTROL,
        'field-sizing-content max-h-80 weak:min-h-20 px-2.5 py-2 text-sm max-md:text-lg',
        className,
      )}
    />
  );
}
