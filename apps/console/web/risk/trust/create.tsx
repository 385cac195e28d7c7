import { CheckboxGroup, NativeSelect, Textarea } from '@mantine/core';
import type { NewTrustProvider } from '@svc/contract/risk/trust/trust-shapes.ts';
import { EVIDENCE_KINDS, PROVIDER_KINDS, type TrustProviderKind } from '@svc/contract/risk/trust/vocabulary.ts';
import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import type { ApiError } from '../../data/answer.ts';
import { client } from '../../data/client.ts';
import { findFault } from '../../data/faults.ts';
import { Checkbox } from '../../design/checkbox.tsx';
import { TextField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { KIND_NAMES, PROVIDER_NAMES, refreshTrust } from './trust-words.tsx';

/** Reads pasted JSON. The API refuses what is none, at its place. */
const readJson = <Value,>(text = ''): Value => {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return {} as Value;
    throw error;
  }
};

const KINDS = PROVIDER_KINDS.map((value) => ({ value, label: PROVIDER_NAMES[value] }));
const LEVELS: Readonly<Record<TrustProviderKind, readonly string[]>> = {
  KEYS: ['3', '2', '1'],
  SIGSTORE: ['4', '3', '2', '1'],
  MANUAL: ['2', '1'],
};

/** The members of a proof that a kind of provider has, as pasted. */
const readProof = (
  kind: TrustProviderKind,
  { keys, identities, trusted_root }: Readonly<Record<string, string>>,
): Partial<NewTrustProvider> => {
  if (kind === 'KEYS') return { keys: [readJson(keys)] };
  return kind === 'SIGSTORE' ? { identities: [readJson(identities)], trusted_root: readJson(trusted_root) } : {};
};

type FieldsProps = {
  readonly error: ApiError | undefined;
  readonly kind: TrustProviderKind;
  readonly choose: (kind: TrustProviderKind) => void;
};

const PastedField = ({
  error,
  name,
  label,
  placeholder,
}: {
  error: ApiError | undefined;
  name: string;
  label: string;
  placeholder: string;
}) => (
  <Textarea name={name} label={label} placeholder={placeholder} autosize minRows={3} maxRows={12} required error={findFault(error, name)} />
);

const Fields = ({ error, kind, choose }: FieldsProps): ReactNode => (
  <>
    <TextField error={error} name="name" label="Name" placeholder="Security team" />
    <NativeSelect
      name="kind"
      label="Proof"
      data={KINDS}
      value={kind}
      onChange={({ currentTarget }) => choose(currentTarget.value as TrustProviderKind)}
    />
    {kind === 'KEYS' ? (
      <PastedField
        error={error}
        name="keys"
        label="Public key (JWK)"
        placeholder='{ "kty": "OKP", "crv": "Ed25519", "x": "…", "kid": "…" }'
      />
    ) : null}
    {kind === 'SIGSTORE' ? (
      <>
        <PastedField
          error={error}
          name="identities"
          label="Identity, compared exactly"
          placeholder='{ "issuer": "https://…", "subject": "https://…" }'
        />
        <PastedField
          error={error}
          name="trusted_root"
          label="Trusted root (JSON)"
          placeholder='{ "tlogs": […], "certificateAuthorities": […] }'
        />
      </>
    ) : null}
    <CheckboxGroup label="Kinds of evidence" error={findFault(error, 'evidence_kinds')}>
      {EVIDENCE_KINDS.map((each) => (
        <Checkbox key={each} name={each} value={each} label={KIND_NAMES[each]} mt="xs" />
      ))}
    </CheckboxGroup>
    <NativeSelect key={kind} name="max_level" label="Highest level" data={[...LEVELS[kind]]} error={findFault(error, 'max_level')} />
  </>
);

const PARENT = { name: 'Trust', path: buildConsolePath('trustProviders') };

/** A form for a new provider of trust evidence. */
export const NewTrustProviderPage = (): ReactNode => {
  const [kind, setKind] = useState<TrustProviderKind>('MANUAL');
  const [, navigate] = useLocation();
  return (
    <ConsolePage title="Register a provider" parent={PARENT}>
      <Form
        submit="Register"
        send={(values) => {
          const evidence_kinds = EVIDENCE_KINDS.filter((each) => values[each] !== undefined);
          const body = { name: values.name ?? '', kind, evidence_kinds, max_level: Number(values.max_level), ...readProof(kind, values) };
          return client.request('createTrustProvider', { body });
        }}
        then={({ id }) => {
          void refreshTrust();
          navigate(buildConsolePath('trustProvider', { trustProviderId: id }));
        }}
        fields={(error) => <Fields error={error} kind={kind} choose={setKind} />}
      />
    </ConsolePage>
  );
};
