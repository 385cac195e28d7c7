/** What is wrong at one place: an RFC 6901 pointer to it, and a sentence that says what would be right. */
export type Fault = { readonly pointer: string; readonly message: string };

/** More faults than this help nobody; the rest is left out. */
const FAULTS_MAX = 200;

export const addFault = (faults: Fault[], pointer: string, message: string): void => {
  if (faults.length < FAULTS_MAX) faults.push({ pointer: pointer.toWellFormed(), message: message.toWellFormed() });
};

/** The pointer one member or element further down. */
export const below = (pointer: string, key: string | number): string =>
  `${pointer}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
