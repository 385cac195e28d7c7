/** Names for parameters of one operation: of letters, digits and _, each once. */
export type ParameterNames = (written: string, otherwise: string) => string;

const NAME_CHARACTERS_MAX = 80;

export const newNames = (): ParameterNames => {
  const taken = new Set<string>();
  return (written, otherwise) => {
    const plain =
      written
        .replace(/[^A-Za-z0-9_]+/g, '_')
        .replace(/^_+|(?<!_)_+$/g, '')
        .slice(0, NAME_CHARACTERS_MAX) || 'parameter';
    let name = taken.has(plain) ? `${plain}_${otherwise}` : plain;
    for (let number = 2; taken.has(name); number += 1) name = `${plain}_${otherwise}_${number}`;
    taken.add(name);
    return name;
  };
};
