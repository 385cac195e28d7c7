/** A program that reads settings. The launcher hands each of the others what it was given itself. */
export type Program = 'control-plane' | 'gateway' | 'worker' | 'launcher';

type Common = {
  readonly programs: readonly Program[];
  /** What it does, in Markdown, as the operator's guide has it. */
  readonly says: string;
  /** Never shown. */
  readonly secret?: true;
};

type IntegerSetting = Common & {
  readonly kind: 'integer';
  readonly otherwise: number;
  readonly from: number;
  readonly to: number;
  /** A budget that many share grows with the one that each of them has, unless it is set itself. */
  readonly growsWith?: Readonly<Partial<Record<Program, string>>>;
};
type FlagSetting = Common & { readonly kind: 'flag'; readonly otherwise: boolean };
type WordSetting = Common & { readonly kind: 'word'; readonly otherwise: string; readonly words: readonly string[] };
/** Separated by commas; empty where it is left out. */
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

/** What an operator may set, as one environment variable. */
export type Setting = IntegerSetting | FlagSetting | WordSetting | ListSetting | TextSetting;
