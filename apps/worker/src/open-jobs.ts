import { deriveKey } from '@svc/keyring/sealed/master-key.ts';
import { openTokens } from '@svc/operations/credentials/tokens/open-tokens.ts';
import { newRateProvider } from '@svc/operations/money/fx-rates/provider/new-rate-provider.ts';
import { getPushTargetKey } from '@svc/operations/peers/a2a/a2a-push-targets.ts';
import { openVerificationEgress } from '@svc/operations/peers/a2a/open-verification-egress.ts';
import { openListingEgress } from '@svc/operations/peers/mcp/open-listing-egress.ts';
import { openMailOutbox } from '@svc/operations/people/mail/open-mail-service.ts';
import { openInstanceEgress } from '@svc/operations/runtimes/runtimes/instance/open-instance.ts';
import { parseBlocks } from '@svc/postgres/incidents/emergency/blocked-destinations.ts';
import { newJobMeter } from './jobs/job-meter.ts';
import { newJobs } from './jobs/jobs.ts';
import { startJobs } from './jobs/start-jobs.ts';
import { openMailing } from './mail/open-mailing.ts';
import type { WorkerCore, WorkerPart } from './worker-core.ts';

/** For the changes of jobs, and for finding what is due in all organizations. */
const CONNECTIONS_MAX = 4;

/** Starts every job, and the sender of mails. */
export const openJobs = ({ settings, log, clock, installationId, platformKeys, connectAs }: WorkerCore): WorkerPart => {
  const database = connectAs('svc_app', CONNECTIONS_MAX);
  const identity = connectAs('svc_identity', CONNECTIONS_MAX);
  const mail = openMailOutbox({ kind: settings.mail.kind, masterKey: settings.masterKey, service: () => settings.baseUrl });
  const mailer = openMailing(settings.mail, mail.sealingKey);
  const provider = settings.exchangeRates && newRateProvider(settings.exchangeRates);
  const credentialKey = deriveKey(settings.masterKey, 'data-key-wrapping');
  const tokens = openTokens({ ...settings, realEgress: settings.egress.allowRealEgress }, { database, clock: clock.now, credentialKey });
  const listingEgress = openListingEgress({
    ...settings.egress,
    credentialsOverHttp: settings.credentialsOverHttp,
    blocksOf: parseBlocks(database),
  });
  const notifyingEgress = openVerificationEgress({
    ...settings.egress,
    credentialsOverHttp: settings.credentialsOverHttp,
    blocksOf: parseBlocks(database),
  });
  const instanceEgress = openInstanceEgress({
    ...settings.egress,
    credentialsOverHttp: settings.credentialsOverHttp,
    blocksOf: parseBlocks(database),
  });
  const urls = { gateway: settings.gatewayUrl, base: settings.baseUrl };
  const { jobs, rounds } = newJobs({
    issuer: { settings, platformKeys },
    mail,
    mailing: mailer?.round,
    rates: provider && { provider, refreshSeconds: settings.exchangeRates?.refreshSeconds ?? 0 },
    retention: {
      installationId,
      get signingKey() {
        return platformKeys.keys.signing.privateKey;
      },
      get keys() {
        return [...platformKeys.keys.ofLog.values()];
      },
    },
    tokens: settings.egress.allowRealEgress ? tokens.desk : undefined,
    listings: settings.egress.allowRealEgress ? { egress: listingEgress, tokens: tokens.desk, credentialKey } : undefined,
    notifying: settings.egress.allowRealEgress ? { egress: notifyingEgress, sealingKey: getPushTargetKey(settings.masterKey) } : undefined,
    instances: { egress: instanceEgress, credentialKey, urls },
    reportWithinSeconds: settings.reportWithinSeconds,
  });
  const meter = newJobMeter([...jobs, ...rounds].map(({ name }) => name));
  const running = startJobs({ database, identity, log, clock: clock.now, isClockSure: clock.isSure, meter }, jobs, rounds);
  return {
    metrics: [...meter.metrics, ...(mailer?.metrics ?? [])],
    pools: { jobs: database, due: identity },
    checks: { mail: () => (mailer?.failing() === undefined ? undefined : 'failing') },
    stop: async () => {
      tokens.hurry();
      await provider?.close();
      await Promise.all([running.stop(), listingEgress.close(), notifyingEgress.close(), instanceEgress.close()]);
      await tokens.close();
      await mailer?.close();
      await Promise.all([database.destroy(), identity.destroy()]);
    },
  };
};
