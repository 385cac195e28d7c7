import { CORE_SCHEMA, load, mergeTag, YAMLException } from 'js-yaml';

/** Merge keys (`<<: *anchor`) are of YAML 1.1, and common in configuration files. */
const SCHEMA = CORE_SCHEMA.withTags(mergeTag);

/** Parses YAML or JSON; undefined if the text is neither. Aliases that expand without end are refused by the bound on the text. */
export const parseYaml = (text: string): unknown => {
  try {
    return load(text, { schema: SCHEMA });
  } catch (error) {
    if (error instanceof YAMLException || error instanceof RangeError) return undefined;
    throw error;
  }
};
