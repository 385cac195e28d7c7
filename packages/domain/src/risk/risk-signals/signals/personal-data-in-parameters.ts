import { isCardNumber } from '@svc/policy/masks/mask-secrets.ts';
import { listParameterTexts } from '../parameter-texts.ts';
import type { SignalDefinition } from '../signal.ts';

const IBAN = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}\b/g;
const DIGITS = /(?<!\d)[2-689](?:[ -]?\d){13,18}(?!\d)/g;
const MAIL = /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]{1,63}/g;
const MAILS_MIN = 10;
const HIGHER_FROM = 10;

/** The check of ISO 7064 that every IBAN passes. */
const isIban = (text: string): boolean => {
  const compact = text.replaceAll(' ', '');
  if (compact.length < 15 || compact.length > 34) return false;
  let rest = 0;
  for (const char of compact.slice(4) + compact.slice(0, 4)) {
    const value = Number.parseInt(char, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
};

const matches = (text: string, pattern: RegExp, holds: (match: string) => boolean): string[] => (text.match(pattern) ?? []).filter(holds);

export const personalDataInParameters: SignalDefinition = {
  name: 'personal_data_in_parameters',
  look: ({ isOutgoing, parameters }) => {
    if (!isOutgoing || parameters === null) return undefined;
    const { texts } = listParameterTexts(parameters);
    const pointers = new Set<string>();
    const counts = { iban: 0, card: 0, mail: 0 };
    const mails = new Set<string>();
    for (const { text, pointer } of texts) {
      const ibans = matches(text, IBAN, isIban).length;
      const cards = matches(text, DIGITS, (digits) => isCardNumber(Number(digits.replace(/\D/g, '')))).length;
      for (const mail of text.match(MAIL) ?? []) mails.add(mail.toLowerCase());
      counts.iban += ibans;
      counts.card += cards;
      if (ibans + cards > 0) pointers.add(pointer);
    }
    if (mails.size >= MAILS_MIN) counts.mail = mails.size;
    const total = counts.iban + counts.card + counts.mail;
    if (total === 0) return undefined;
    const kinds = Object.entries(counts).filter(([, count]) => count > 0);
    return {
      isHigher: total >= HIGHER_FROM,
      subject: kinds.map(([kind]) => kind).join('+'),
      sentence: `The parameters contain personal data: ${kinds.map(([kind, count]) => `${count} of kind ${kind}`).join(', ')}.`,
      evidence: { kinds: Object.fromEntries(kinds), pointers: [...pointers].slice(0, 5) },
    };
  },
};
