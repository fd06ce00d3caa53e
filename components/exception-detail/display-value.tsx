import { VisibleText } from '../text/visible-text';

/** A field that the policy keeps in clear: scalars as they are, structures as JSON. */
export function DisplayValue({ value }: { value: unknown }) {
  const shown = typeof value === 'string' ? value : JSON.stringify(value);
  return <VisibleText text={shown} className="tabular" />;
}

/** `/customer/id` as a reader's label; a name that holds the sign itself stays as it is stored. */
export function fieldName(pointer: string): string {
  return pointer.startsWith('/') && !pointer.includes('›')
    ? pointer.slice(1).replaceAll('/', ' › ')
    : pointer;
}
