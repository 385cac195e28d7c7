import { Type } from 'typebox';

/** Code that a terminal shows and a person compares or types. */
export const userCode = Type.String({
  minLength: 8,
  maxLength: 9,
  pattern: '^[BCDFGHJKLMNPQRSTVWXZbcdfghjklmnpqrstvwxz]{4}-?[BCDFGHJKLMNPQRSTVWXZbcdfghjklmnpqrstvwxz]{4}$',
  examples: ['BCDF-GHJK'],
  description: 'Code shown in the terminal. Lower-case letters and a missing hyphen are accepted.',
});
