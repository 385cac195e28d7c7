import type { CredentialSlot, SecretBearing } from './slot.ts';

const FORM = 'application/x-www-form-urlencoded';

const readObject = (text: string | undefined): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

/** Letters and digits of a name: servers read `api_key`, `API_KEY` and `api.key` as the same one, each in its own way. */
const getLetters = (name: string): string =>
  (name.split('\0', 1)[0] ?? '')
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

/** The members with the secret as the last of them and the only one of its name, however the tool or the agent spelled another. */
const withMember = <Value>(members: Iterable<[string, Value]>, field: string, secret: string): [string, Value | string][] => {
  const letters = getLetters(field);
  const others = [...members].filter(([name]) => name !== field && (letters === '' || getLetters(name) !== letters));
  return [...others, [field, secret]];
};

const inForm = (request: SecretBearing, field: string, secret: string): SecretBearing => {
  const form = new URLSearchParams(withMember(new URLSearchParams(request.body), field, secret));
  return { ...request, body: form.toString() };
};

/** A member of a JSON object, or a field of a form. */
export const bodyField: CredentialSlot = {
  needsBody: true,
  describe: (name) => `body ${name}`,
  nameFault: () => undefined,
  keyOf: (name) => getLetters(name) || name,
  place: (request, field, secret) => {
    const type = request.headers['content-type'];
    if (type?.split(';', 1)[0]?.trim().toLowerCase() === FORM) return inForm(request, field, secret);
    const members = readObject(request.body);
    if (members === undefined) return { unplaced: 'The body of the call is no JSON object and no form, and its credential belongs in it.' };
    const body = JSON.stringify(Object.fromEntries(withMember(Object.entries(members), field, secret)));
    return { ...request, body, headers: { ...request.headers, 'content-type': type ?? 'application/json' } };
  },
};
