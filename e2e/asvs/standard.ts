/** The numbers of one chapter by level, typed from OWASP ASVS 5.0.0. */
type Numbers = { readonly 1: string; readonly 2: string };

/**
 * Every requirement of levels 1 and 2 of the chapters that are answered for here: those about people, access, tokens, cryptography, data,
 * connections, configuration and logging. Typed by hand from the standard, so that none is left out of the table in silence.
 */
export const STANDARD: Readonly<Record<string, Numbers>> = {
  V6: {
    1: '6.1.1 6.2.1 6.2.2 6.2.3 6.2.4 6.2.5 6.2.6 6.2.7 6.2.8 6.3.1 6.3.2 6.4.1 6.4.2',
    2: '6.1.2 6.1.3 6.2.9 6.2.10 6.2.11 6.2.12 6.3.3 6.3.4 6.4.3 6.4.4 6.5.1 6.5.2 6.5.3 6.5.4 6.5.5 6.6.1 6.6.2 6.6.3 6.8.1 6.8.2 6.8.3 6.8.4',
  },
  V7: {
    1: '7.2.1 7.2.2 7.2.3 7.2.4 7.4.1 7.4.2',
    2: '7.1.1 7.1.2 7.1.3 7.3.1 7.3.2 7.4.3 7.4.4 7.4.5 7.5.1 7.5.2 7.6.1 7.6.2',
  },
  V8: { 1: '8.1.1 8.2.1 8.2.2 8.3.1', 2: '8.1.2 8.2.3 8.4.1' },
  V9: { 1: '9.1.1 9.1.2 9.1.3 9.2.1', 2: '9.2.2 9.2.3 9.2.4' },
  V10: {
    1: '10.4.1 10.4.2 10.4.3 10.4.4 10.4.5',
    2: '10.1.1 10.1.2 10.2.1 10.2.2 10.3.1 10.3.2 10.3.3 10.3.4 10.4.6 10.4.7 10.4.8 10.4.9 10.4.10 10.4.11 10.5.1 10.5.2 10.5.3 10.5.4 10.5.5 10.6.1 10.6.2 10.7.1 10.7.2 10.7.3',
  },
  V11: {
    1: '11.3.1 11.3.2 11.4.1',
    2: '11.1.1 11.1.2 11.2.1 11.2.2 11.2.3 11.3.3 11.4.2 11.4.3 11.4.4 11.5.1 11.6.1',
  },
  V12: { 1: '12.1.1 12.2.1 12.2.2', 2: '12.1.2 12.1.3 12.3.1 12.3.2 12.3.3 12.3.4' },
  V13: { 1: '13.4.1', 2: '13.1.1 13.2.1 13.2.2 13.2.3 13.2.4 13.2.5 13.3.1 13.3.2 13.4.2 13.4.3 13.4.4 13.4.5' },
  V14: { 1: '14.2.1 14.3.1', 2: '14.1.1 14.1.2 14.2.2 14.2.3 14.2.4 14.3.2 14.3.3' },
  V16: { 1: '', 2: '16.1.1 16.2.1 16.2.2 16.2.3 16.2.4 16.2.5 16.3.1 16.3.2 16.3.3 16.3.4 16.4.1 16.4.2 16.4.3 16.5.1 16.5.2 16.5.3' },
};

/** How many there are, counted in the standard and not here. */
export const COUNTS: Readonly<Record<string, readonly [level1: number, level2: number]>> = {
  V6: [13, 22],
  V7: [6, 12],
  V8: [4, 3],
  V9: [4, 3],
  V10: [5, 24],
  V11: [3, 11],
  V12: [3, 6],
  V13: [1, 12],
  V14: [2, 7],
  V16: [0, 16],
};

export const numbersOf = (text: string): string[] => text.split(' ').filter((number) => number !== '');
