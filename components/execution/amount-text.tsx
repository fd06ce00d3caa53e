import { useLocale } from 'next-intl';
import { type Amount } from '@/lib/domain/amount';

/** Money or count at stake, every digit kept: the formatter takes the decimal text, never a float. */
export function AmountText({ amount }: { amount: Amount }) {
  const locale = useLocale();
  const digits = amount.value.split('.')[1]?.length ?? 0;
  const format = new Intl.NumberFormat(locale, {
    ...(amount.currency === null
      ? {}
      : // The narrow sign is the same for every dollar.
        { style: 'currency', currency: amount.currency }),
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  // Decimal text is formatted exactly (ECMA-402, 2023); a number would lose digits.
  return <span className="tabular whitespace-nowrap">{format.format(amount.value as `${number}`)}</span>;
}
