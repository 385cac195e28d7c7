import { maskSecretShapes } from './secret-shapes.ts';

export const MASKED = '[masked]';

const DIGIT_RUN = /(?<!\d)[2-689](?:[ .\u00a0\u2009\u202f-]?\d){12,18}(?!\d)/g;

/** Checks Luhn's sum, which every payment card number passes. */
const passesLuhn = (digits: string): boolean => {
  let sum = 0;
  for (let place = 0; place < digits.length; place++) {
    const digit = digits.charCodeAt(digits.length - 1 - place) - 48;
    const doubled = place % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
};

const SHORTEST_SECRET = 12;

/** Returns the text with its secrets and payment card numbers replaced. The caller bounds its length. */
export const maskSecretText = (text: string): string => {
  if (text.length < SHORTEST_SECRET) return text;
  return maskSecretShapes(text, MASKED).replace(DIGIT_RUN, (run) => (passesLuhn(run.replace(/\D/g, '')) ? MASKED : run));
};

/** Returns true for a number that is a payment card number written without quotes. */
export const isCardNumber = (value: number): boolean =>
  value >= 1e13 && Number.isSafeInteger(value) && /^[2-689]\d{13,}$/.test(String(value)) && passesLuhn(String(value));
