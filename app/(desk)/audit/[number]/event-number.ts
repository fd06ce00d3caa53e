/** Digits of the largest bigint less one, so that every match is one. */
export const NUMBER = /^[1-9]\d{0,17}$/;
