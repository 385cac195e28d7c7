import type { CredentialExtra } from '@svc/contract/credentials/credentials.ts';
import type { Faults } from '../tools/fault.ts';
import { SLOTS } from './slots/slots.ts';

/** An extra item with its secret, as a request has it. */
export type ExtraInput = CredentialExtra & { readonly secret: string };

/** The position and name of an item, without its secret. */
export const removeValue = ({ in: position, name }: CredentialExtra): CredentialExtra => ({ in: position, name });

const isSame = (one: CredentialExtra, other: CredentialExtra): boolean =>
  one.in === other.in && SLOTS[one.in].keyOf(one.name) === SLOTS[other.in].keyOf(other.name);

/** Returns the secrets of all items after a rotation, in the order of the items; or the faults of the given ones, with JSON Pointers. */
export const rotatedExtras = (
  items: readonly CredentialExtra[],
  secrets: readonly string[],
  given: readonly ExtraInput[],
): readonly string[] | Faults => {
  const faults = given.flatMap((each, at) => {
    const pointer = `/extras/${at}/name`;
    if (!items.some((item) => isSame(item, each))) return [{ pointer, message: 'is no extra item of this credential' }];
    return given.slice(0, at).some((other) => isSame(other, each)) ? [{ pointer, message: 'is given twice' }] : [];
  });
  if (faults.length > 0) return { faults };
  return items.map((item, at) => given.find((each) => isSame(item, each))?.secret ?? secrets[at] ?? '');
};
