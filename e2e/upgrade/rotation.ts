/** Addresses that requests go to in turns, as by a proxy that takes a program out of rotation before it is stopped. */
export type Rotation = { readonly next: () => string; readonly replace: (old: string | undefined, added: string) => void };

export const newRotation = (first: readonly string[]): Rotation => {
  let urls = [...first];
  let turn = 0;
  return {
    next: () => {
      turn += 1;
      return urls[turn % urls.length] ?? '';
    },
    replace: (old, added) => {
      urls = [...urls.filter((url) => url !== old), added];
    },
  };
};
