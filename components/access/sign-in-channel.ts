/** Windows of one browser tell each other here that somebody has shown who they are; the message is the asking window's mark. */
export const SIGN_IN_CHANNEL = 'onceover-sign-in';

/** Where the provider's window comes back to. */
export const againPath = (mark: string): string => `/login/again?done=${mark}`;
