/** A program that reads settings. The launcher passes its own settings on to the others. */
export type Program = 'control-plane' | 'gateway' | 'worker' | 'launcher';

type Common = {
  readonly programs: readonly Program[];
  /** Its effect in Markdown, for the operator's guide. */
  readonly says: string;
  /** Never shown. */
  readonly secret?: true;
};

type IntegerSetting = Common & {
  readonly kind: 'integer';
  readonly otherwise: number;
  readonly from: number;
  readonly to: number;
  /** A budget that many share grows with the individual one, unless it is set itself. */
  readonly growsWith?: Readonly<Partial<Record<Program, string>>>;
};
type FlagSetting = Common & { readonly kind: 'flag'; readonly otherwise: boolean };
type WordSetting = Common & { readonly kind: 'word'; readonly otherwise: string; readonly words: readonly string[] };
/** Separated by commas; empty if omitted. */
type ListSetting = Common & { readonly kind: 'list'; readonly of: 'networks' | 'name servers' | 'witnesses' | 'hosts' };
type TextSetting = Common & {
  readonly kind: 'text';
  readonly form:
    | 'any'
    | 'folder'
    | 'address'
    | 'public address'
    | 'database'
    | 'redis'
    | 'mail server'
    | 'mailbox'
    | 'master key'
    | 'command'
    | 'provider'
    | 'listening'
    | 'collector'
    | 'receiver'
    | 'access key';
  readonly otherwise?: string;
};

/** A setting of the operator, as one environment variable. */
export type Setting = IntegerSetting | FlagSetting | WordSetting | ListSetting | TextSetting;
