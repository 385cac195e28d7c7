/** The dialects of JSON Schema that a tool may use, by `$schema` without its final `#`, oldest first. */
export const DIALECTS = [
  'http://json-schema.org/draft-04/schema',
  'http://json-schema.org/draft-06/schema',
  'http://json-schema.org/draft-07/schema',
  'https://json-schema.org/draft/2019-09/schema',
  'https://json-schema.org/draft/2020-12/schema',
] as const;

/** Returns the index in DIALECTS of the dialect that `$schema` names; 2020-12 by default, -1 if unknown. */
export const getDialectIndex = (uri: unknown): number => {
  if (uri === undefined) return DIALECTS.length - 1;
  const plain = typeof uri === 'string' ? uri.replace(/#$/, '') : '';
  return DIALECTS.findIndex((dialect) => dialect === plain || dialect.replace(/^http:/, 'https:') === plain);
};

/** Keywords that constrain nothing: annotations of OpenAPI, of form generators and of editors. */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  ...(['example', 'externalDocs', 'xml', 'discriminator', '$recursiveAnchor'] as const),
  ...(['enumNames', 'enumDescriptions', 'markdownEnumDescriptions', 'markdownDescription', 'deprecationMessage'] as const),
  ...(['defaultSnippets', 'errorMessage', 'patternErrorMessage', 'doNotSuggest', 'suggestSortText'] as const),
  ...(['allowComments', 'allowTrailingCommas', 'propertyOrder', 'headerTemplate', 'tsType', 'tsEnumNames', 'javaType'] as const),
]);

export const isAnnotation = (keyword: string): boolean => keyword.startsWith('x-') || ANNOTATIONS.has(keyword);
