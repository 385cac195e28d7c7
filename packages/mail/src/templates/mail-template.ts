/** One part of a mail: a paragraph in which `{value}` stands for a value; a code by itself; or a link with the words it stands under. */
export type Part<Value extends string> = string | { readonly code: Value } | { readonly link: Value; readonly says: string };

/** What a mail says, once: the plain text and the HTML are both made of it. */
export type MailTemplate<Value extends string = string> = {
  /** How many one recipient gets within an hour. */
  readonly perHourMax: number;
  /** What stands for each value where the mail is shown to who works on it. */
  readonly sample: Readonly<Record<Value, string>>;
  readonly subject: string;
  readonly parts: readonly Part<NoInfer<Value>>[];
};

export const mailTemplate = <const Value extends string>(template: MailTemplate<Value>): MailTemplate<Value> => template;
