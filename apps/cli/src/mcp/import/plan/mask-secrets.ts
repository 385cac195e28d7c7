const MASKED = '[masked]';
const SECRET_NAME = /key|token|secret|passw|auth|bearer|credential|cookie|session|dsn|pat$/i;
const SECRET_START = /^(?:sk-|gh[a-z]_|github_pat_|xox[a-z]-|glpat-|AKIA|ey[A-Za-z0-9_-]{8}|Bearer |svc_)/;
const LONG_TOKEN = /^(?=.*\d)(?=.*[A-Za-z])[A-Za-z0-9_+/=-]{24,}$/;

const isSecret = (value: string): boolean => SECRET_START.test(value) || LONG_TOKEN.test(value);

/** Hides the user and the values of the query of an address: both often hold keys. */
export const maskUrl = (text: string): string => {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  if (!/^[a-z]{2,12}:$/.test(url.protocol) || (url.username === '' && url.password === '' && url.search === '')) return text;
  const names = [...url.searchParams.keys()].map((name) => `${encodeURIComponent(name)}=${MASKED}`);
  const user = url.username === '' && url.password === '' ? '' : `${MASKED}@`;
  return `${url.protocol}//${user}${url.host}${url.pathname}${names.length === 0 ? '' : `?${names.join('&')}`}`;
};

const maskOne = (word: string, before: string | undefined): string => {
  const { name, value } = /^(?<name>-{0,2}[\w.-]+)[=:](?<value>.+)$/su.exec(word)?.groups ?? {};
  if (name !== undefined && value !== undefined && !word.includes('://')) {
    if (SECRET_NAME.test(name) || isSecret(value)) return `${name}=${MASKED}`;
  }
  const isValue = before !== undefined && /^-{1,2}[\w.-]+$/.test(before) && SECRET_NAME.test(before) && !word.startsWith('-');
  if (isValue || isSecret(word) || /^(?:authorization|x-api-key)\b/i.test(word)) return MASKED;
  return maskUrl(word);
};

/** Arguments as they may be printed. Words that look like secrets are hidden; a secret that looks like a word cannot be recognized. */
export const maskWords = (words: readonly string[]): readonly string[] => words.map((word, at) => maskOne(word, words[at - 1]));
