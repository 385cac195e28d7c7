import { SUBSCRIPTIONS, type Subscription } from '@svc/contract/tenancy/organization/subscription.ts';
import { setSubscription } from '@svc/operations/tenancy/organization/set-subscription.ts';
import { readDatabaseTime } from '@svc/postgres/connection/read-database-time.ts';
import { findOrganizationByIdOrName } from './admin/organization-called.ts';
import { reachDatabase } from './break-glass/reach-database.ts';
import { escapeLine } from './operator/escape-line.ts';
import { createOperatorContext } from './operator/operator-context.ts';
import { readOperatorSettings } from './operator/operator-settings.ts';
import { runCommand } from './operator/run-command.ts';

const USAGE = `Sets the subscription of an organization, by its id or name:

    npm run ops -- subscription <organization> ACTIVE
    npm run ops -- subscription <organization> LAPSED

While it is LAPSED, requests that create something are refused with 402. Decisions, stops and reading go on.`;

type Command = { readonly organization: string; readonly subscription: Subscription };

const read = ([organization, word, ...others]: readonly string[]): Command | string => {
  if (organization === undefined || organization.startsWith('-')) return 'Name the organization by its id or its name.';
  const subscription = SUBSCRIPTIONS.find((each) => each === word);
  return subscription === undefined || others.length > 0 ? 'Say ACTIVE or LAPSED.' : { organization, subscription };
};

const run = async ({ organization, subscription }: Command): Promise<boolean> => {
  const { app, identity, close } = await reachDatabase(readOperatorSettings());
  try {
    const { id, name } = await findOrganizationByIdOrName(identity, organization);
    const now = new Date(await readDatabaseTime(app));
    const before = await setSubscription(app, createOperatorContext('subscription', id, now), subscription);
    console.log(escapeLine(`${name} (${id})  ${before === subscription ? 'is' : `was ${before}, and is`} ${subscription}`));
    return true;
  } finally {
    await close();
  }
};

const asksForHelp = (words: readonly string[]): boolean => words.includes('--help') || words.includes('-h');

process.exitCode = await runCommand({ usage: USAGE, asksForHelp, read, run });
