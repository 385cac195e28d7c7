/** Forms of known secrets, with the vendor. */
const KNOWN: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['a Stripe key', /\b(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{10,}/],
  ['a GitHub token', /\bgh[pousr]_[A-Za-z0-9]{20,}|\bgithub_pat_[A-Za-z0-9_]{20,}/],
  ['a Slack token', /\bxox[abeprs]-[A-Za-z0-9-]{10,}/],
  ['an AWS key id', /\bAKIA[0-9A-Z]{16}\b/],
  ['a Google key', /\bAIza[A-Za-z0-9_-]{30,}/],
  ['a GitLab token', /\bglpat-[A-Za-z0-9_-]{16,}/],
  ['an OpenAI or Anthropic key', /\bsk-[A-Za-z0-9_-]{20,}/],
  ['a private key', /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/],
  ['a JSON Web Token', /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/],
  ['a key of this service', /\bsvc_(?:key|ses)_[A-Za-z0-9_-]{10,}/],
];

const SECRET_NAME =
  /^(?:authorization|x-?api-?key|api-?key|apikey|access-?token|auth-?token|token|secret|client_?secret|password|passwd)$/i;
const LITERAL_SECRET = /^(?:Bearer |Basic |Token )?[\w.+/=~-]{12,}$/;

/** Returns the kind of secret that a text contains; undefined if none is recognized. */
export const findSecret = (text: string): string | undefined => KNOWN.find(([, pattern]) => pattern.test(text))?.[0];

/** Returns true if a literal value is given to a member or header that is named like a secret. */
export const isNamedSecret = (name: string, value: string): boolean =>
  SECRET_NAME.test(name) && !value.includes('{{') && !value.startsWith('=') && LITERAL_SECRET.test(value.trim());

/** Returns code without the contents of its quoted strings. */
const withoutStrings = (code: string): string => {
  let result = '';
  let quote: string | undefined;
  for (let at = 0; at < code.length; at += 1) {
    const character = code[at];
    if (quote !== undefined && character === '\\') at += 1;
    else if (quote === character) quote = undefined;
    else if (quote !== undefined) {
      if (character === '\n') quote = undefined;
    } else if (character === '"' || character === "'") quote = character;
    else result += character;
  }
  return result;
};

/** Returns the expressions of a text, without the strings that are quoted in them. */
const expressionTokens = (text: string): string => {
  const found = [...text.matchAll(/\{\{([\s\S]{0,4000}?)\}\}/g)].map(([, inner = '']) => inner);
  return withoutStrings(found.join(' ; '));
};

const ENVIRONMENT = /(?<![\w$.])(?:\$env|\$secrets|\$vars)\b|(?<![\w$])process\s*\.\s*env\b/;

/** Returns true if an expression, or code, reads variables of the environment. A mention in a quoted text is no access. */
export const readsEnvironment = (text: string, isCode: boolean): boolean => {
  if (isCode) return ENVIRONMENT.test(withoutStrings(text));
  return text.startsWith('=') && ENVIRONMENT.test(expressionTokens(text));
};

/** Marks of code that can call out, run a command, or hide what it does. */
const CALLS =
  /httpRequest|\bfetch\b|\brequire\b|\bimport\b|\bprocess\b|\beval\b|\bFunction\b|\batob\b|Buffer\s*\.\s*from|\bhelpers\b|\$env|urllib|requests\.|socket|subprocess|__import__|fromCharCode|\bglobalThis\b/;

export const codeCallsOut = (code: string): boolean => CALLS.test(code);
