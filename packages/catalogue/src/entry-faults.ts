import { CatalogueEntry, PlatformAction, ServiceAction } from '@svc/contract/tools/catalogue-entry.ts';
import type { Fault } from '@svc/domain/tools/fault.ts';
import type { TSchema } from 'typebox';
import Value from 'typebox/value';
import { serviceActions } from './describe-application.ts';

const FAULTS_MAX = 20;
const NAMES = /\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

const findNames = (text: string): readonly string[] => [...text.matchAll(NAMES)].map(([, name = '']) => name);

const repeated = (words: readonly string[]): readonly string[] => [...new Set(words.filter((word, at) => words.indexOf(word) !== at))];

const isEntry = (value: unknown): value is CatalogueEntry => Value.Check(CatalogueEntry, value);

const readFaults = (schema: TSchema, value: unknown, pointer: string): readonly Fault[] =>
  [...Value.Errors(schema, value)].slice(0, FAULTS_MAX).map(({ instancePath, message }) => ({ pointer: pointer + instancePath, message }));

const readMember = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;

/** Judges each action by its own kind: the faults of a union would name both. */
const schemaFaults = (value: unknown): readonly Fault[] => {
  const actions = readMember(value, 'actions');
  if (!Array.isArray(actions)) return readFaults(CatalogueEntry, value, '');
  const ofActions = actions.flatMap((action: unknown, at) =>
    readFaults(readMember(action, 'performed_by') === 'PLATFORM' ? PlatformAction : ServiceAction, action, `/actions/${at}`),
  );
  return [...readFaults(CatalogueEntry, { ...(value as object), actions: [] }, ''), ...ofActions];
};

/** Names that stand in a template: a body, or the variables of a GraphQL call. */
const readTemplate = ({ body, graphql }: ServiceAction): string => JSON.stringify(graphql?.variables ?? body ?? {});

const parameterFaults = (action: ServiceAction, entered: ReadonlySet<string>, pointer: string): readonly Fault[] => {
  const { parameters, path, body, graphql } = action;
  const named = (position: string): readonly string[] => parameters.filter((each) => each.in === position).map(({ name }) => name);
  const inPath = findNames(path);
  const inTemplate = findNames(readTemplate(action));
  const sent = graphql === undefined ? named('body') : named('variable');
  const hasTemplate = graphql !== undefined || body !== undefined;
  return [
    ...repeated(parameters.map(({ name }) => name)).map((name) => ({ pointer: `${pointer}/parameters`, message: `contain ${name} twice` })),
    ...inPath
      .filter((name) => !named('path').includes(name) && !entered.has(name))
      .map((name) => ({
        pointer: `${pointer}/path`,
        message: `contains {${name}}, which is not a path parameter and not an entered value`,
      })),
    ...named('path')
      .filter((name) => !inPath.includes(name))
      .map((name) => ({ pointer: `${pointer}/parameters`, message: `contain the path parameter ${name}, which the path lacks` })),
    ...(hasTemplate ? sent.filter((name) => !inTemplate.includes(name)) : []).map((name) => ({
      pointer: `${pointer}/parameters`,
      message: `contain ${name}, which the body never sends`,
    })),
  ];
};

const actionFaults = (entry: CatalogueEntry): readonly Fault[] => {
  const entered = new Set(entry.enter.filter(({ secret }) => !secret).map(({ name }) => name));
  const sources = new Set(entry.sources.map(({ id }) => id));
  return serviceActions(entry).flatMap((action) => {
    const pointer = `/actions/${entry.actions.indexOf(action)}`;
    const isKnown = sources.has(action.source.id);
    return [
      ...(isKnown ? [] : [{ pointer: `${pointer}/source/id`, message: `is ${action.source.id}, which is not in sources` }]),
      ...parameterFaults(action, entered, pointer),
    ];
  });
};

/** Secrets of OAuth are sent to the token endpoint, under these names. */
const OAUTH_SECRETS = ['client_secret', 'refresh_token'];

const credentialFaults = ({ credential, enter, api, actions }: CatalogueEntry): readonly Fault[] => {
  const isCalled = actions.some(({ performed_by }) => performed_by === 'SERVICE');
  if (credential === null || api === null)
    return isCalled ? [{ pointer: '', message: 'has actions of the service, so needs api and credential' }] : [];
  const secrets = enter.filter(({ secret }) => secret).map(({ name }) => name);
  const { secret, extras = [], oauth } = credential;
  const used = [...(secret === undefined ? [] : [secret]), ...extras.map((extra) => extra.secret)];
  const known = oauth === undefined ? used : [...used, ...OAUTH_SECRETS];
  return [
    ...(secret === undefined && oauth === undefined ? [{ pointer: '/credential', message: 'must name a secret or OAuth' }] : []),
    ...used
      .filter((name) => !secrets.includes(name))
      .map((name) => ({ pointer: '/credential', message: `uses ${name}, which is no entered secret` })),
    ...secrets
      .filter((name) => !known.includes(name))
      .map((name) => ({ pointer: '/enter', message: `asks for the secret ${name}, which the credential does not use` })),
  ];
};

const nameFaults = ({ actions, sources, enter }: CatalogueEntry): readonly Fault[] => {
  const lists = { actions: actions.map(({ key }) => key), sources: sources.map(({ id }) => id), enter: enter.map(({ name }) => name) };
  return Object.entries(lists).flatMap(([member, words]) =>
    repeated(words).map((word) => ({ pointer: `/${member}`, message: `contain ${word} twice` })),
  );
};

/** Returns the faults of an entry of the catalogue, without reading its documents. */
export const findEntryFaults = (value: unknown): readonly Fault[] =>
  isEntry(value) ? [...nameFaults(value), ...credentialFaults(value), ...actionFaults(value)] : schemaFaults(value);
