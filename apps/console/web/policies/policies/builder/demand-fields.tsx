import type { ReactNode } from 'react';
import { majorText, minorUnits } from '../../../data/money-text.ts';
import { Checkbox } from '../../../design/checkbox.tsx';
import { BuilderInput } from './builder-input.tsx';
import type { Draft } from './draft.ts';
import { type Path, replaceValue } from './edit-text.ts';
import type { BuilderMembers, Demand, DemandMember } from './language.ts';

type MemberProps = {
  readonly draft: Draft;
  readonly path: Path;
  readonly demand: Demand;
  readonly values: BuilderMembers | undefined;
};

const words = (name: string): string => {
  const text = name.replaceAll('_', ' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
};

const isMoney = ({ unit }: DemandMember): boolean => unit?.startsWith('minor units') === true;

const formatMember = (member: DemandMember, value: unknown, currency: string | undefined): string => {
  if (value === undefined) return '';
  if (isMoney(member) && typeof value === 'number' && currency !== undefined) return majorText(value, currency);
  return Array.isArray(value) ? value.join(', ') : String(value);
};

/** The value that was entered: undefined where the field was emptied, a sentence where it does not fit. */
const readMember = (member: DemandMember, text: string, currency: string | undefined): { readonly value?: unknown } | string => {
  if (text.trim() === '') return {};
  if (member.type === 'string') return { value: text };
  if (member.type === 'path_list') return { value: text.split(',').map((part) => part.trim()) };
  const read = isMoney(member) && currency !== undefined ? minorUnits(text, currency) : Number(text);
  return Number.isInteger(read) ? { value: read } : 'Enter a number.';
};

const Member = ({ name, draft, path, demand, values }: MemberProps & { readonly name: string }): ReactNode => {
  const member = demand.members[name] as DemandMember;
  const { text, currency, change } = draft;
  const write = (value: unknown): void => {
    const rest = { ...values, [name]: value };
    const isEmpty = Object.values(rest).every((each) => each === undefined);
    change(isEmpty ? replaceValue(text, [...path, demand.member], undefined) : replaceValue(text, [...path, demand.member, name], value));
  };
  if (member.type === 'boolean')
    return (
      <Checkbox
        label={words(name)}
        description={member.sentence}
        checked={values?.[name] === true}
        onChange={({ currentTarget }) => write(currentTarget.checked ? true : undefined)}
      />
    );
  const unit = isMoney(member) ? currency : member.unit;
  return (
    <BuilderInput
      label={`${words(name)}${member.type === 'path_list' ? ', with commas' : ''}${unit === undefined || unit === currency ? '' : ` (${unit})`}`}
      value={formatMember(member, values?.[name], currency)}
      suffix={isMoney(member) ? currency : undefined}
      save={(entered) => {
        const read = readMember(member, entered, currency);
        if (typeof read === 'string') return read;
        write(read.value);
        return undefined;
      }}
    />
  );
};

/** The members that an effect needs: approvers, a limit or paths to mask. An empty field has the default of the language. */
export const DemandFields = (props: MemberProps): ReactNode => (
  <div className="demand-fields">
    {Object.keys(props.demand.members).map((name) => (
      <Member key={name} name={name} {...props} />
    ))}
  </div>
);
