import { load, YAMLException } from 'js-yaml';

/** Parses YAML or JSON; undefined if the text is neither. Aliases that expand without end are refused by the bound on the text. */
export const parseYaml = (text: string): unknown => {
  try {
    return load(text);
  } catch (error) {
    if (error instanceof YAMLException || error instanceof RangeError) return undefined;
    throw error;
  }
};
