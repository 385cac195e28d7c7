/** General categories by their long names in Unicode. */
const CATEGORIES: Readonly<Record<string, string>> = {
  Letter: 'L',
  Cased_Letter: 'LC',
  Uppercase_Letter: 'Lu',
  Lowercase_Letter: 'Ll',
  Titlecase_Letter: 'Lt',
  Modifier_Letter: 'Lm',
  Other_Letter: 'Lo',
  Mark: 'M',
  Combining_Mark: 'M',
  Nonspacing_Mark: 'Mn',
  Spacing_Mark: 'Mc',
  Enclosing_Mark: 'Me',
  Number: 'N',
  Decimal_Number: 'Nd',
  digit: 'Nd',
  Letter_Number: 'Nl',
  Other_Number: 'No',
  Punctuation: 'P',
  punct: 'P',
  Connector_Punctuation: 'Pc',
  Dash_Punctuation: 'Pd',
  Open_Punctuation: 'Ps',
  Close_Punctuation: 'Pe',
  Initial_Punctuation: 'Pi',
  Final_Punctuation: 'Pf',
  Other_Punctuation: 'Po',
  Symbol: 'S',
  Math_Symbol: 'Sm',
  Currency_Symbol: 'Sc',
  Modifier_Symbol: 'Sk',
  Other_Symbol: 'So',
  Separator: 'Z',
  Space_Separator: 'Zs',
  Line_Separator: 'Zl',
  Paragraph_Separator: 'Zp',
  Other: 'C',
  Control: 'Cc',
  cntrl: 'Cc',
  Format: 'Cf',
  Surrogate: 'Cs',
  Private_Use: 'Co',
  Unassigned: 'Cn',
};

/** Binary properties of ECMA-262 that the engine has a table for. */
const BINARY: Readonly<Record<string, string>> = {
  Any: 'Any',
  ASCII: 'Ascii',
  ASCII_Hex_Digit: 'ASCII_Hex_Digit',
  AHex: 'ASCII_Hex_Digit',
  Alphabetic: 'Alphabetic',
  Alpha: 'Alphabetic',
  Assigned: 'Assigned',
  Dash: 'Dash',
  Emoji: 'Emoji',
  Extended_Pictographic: 'Extended_Pictographic',
  ExtPict: 'Extended_Pictographic',
  Hex_Digit: 'Hex_Digit',
  Hex: 'Hex_Digit',
  Lowercase: 'Lowercase',
  Lower: 'Lowercase',
  Math: 'Math',
  Quotation_Mark: 'Quotation_Mark',
  QMark: 'Quotation_Mark',
  Uppercase: 'Uppercase',
  Upper: 'Uppercase',
  White_Space: 'White_Space',
  space: 'White_Space',
};

const SHORT: ReadonlySet<string> = new Set(Object.values(CATEGORIES));
const own = (table: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

const category = (name: string): string | undefined => (SHORT.has(name) ? name : own(CATEGORIES, name));

/** RE2's name of the property in `\p{...}`; undefined if ECMA-262 has no such property or the engine has no table for it. */
export const getPropertyName = (written: string): string | undefined => {
  const [name = '', value, ...rest] = written.split('=');
  if (rest.length > 0) return undefined;
  if (value === undefined) return category(name) ?? own(BINARY, name);
  if (name === 'General_Category' || name === 'gc') return category(value);
  const isScript = (name === 'Script' || name === 'sc') && /^[A-Z][A-Za-z_]{2,}$/.test(value);
  return isScript && category(value) === undefined && own(BINARY, value) === undefined ? value : undefined;
};
