import { noteNavigation } from './components/shell/leaving';

/** Next calls it for links, the router and the browser's own back and forward alike. */
export function onRouterTransitionStart(): void {
  noteNavigation();
}
