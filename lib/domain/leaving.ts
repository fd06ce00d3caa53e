// What takes somebody off a page on which they have typed.

/** As much of a press on a link as says who follows it. */
interface Press {
  readonly button: number;
  readonly altKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
}

interface LinkPressed {
  readonly href: string;
  readonly target: string;
  readonly download: string;
}

/** Whether an address shows another page than this one; another part of it is the same page. */
export function isOtherPage(there: string, here: string): boolean {
  const [to, from] = [new URL(there, here), new URL(here)];
  return to.origin !== from.origin || to.pathname !== from.pathname || to.search !== from.search;
}

/** Whether a press on a link takes this page away: not what opens beside it, and not what is saved. */
export function leavesByLink(press: Press, link: LinkPressed, here: string): boolean {
  const beside =
    press.button !== 0 ||
    press.altKey ||
    press.ctrlKey ||
    press.metaKey ||
    press.shiftKey ||
    link.download !== '';
  const elsewhere = link.target !== '' && link.target !== '_self';
  if (beside || elsewhere || !URL.canParse(link.href, here)) return false;
  return /^https?:$/.test(new URL(link.href, here).protocol) && isOtherPage(link.href, here);
}
