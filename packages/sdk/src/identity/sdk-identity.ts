/** Sent with each assertion, so that operators see which agents run an outdated client. */
export const SDK_VERSION = '0.2.0';

const SDK_NAME = '@svc/sdk';
const WORD_CHARS_MAX = 100;

type Runtime = {
  readonly process?: { readonly versions?: { readonly node?: string } };
  readonly navigator?: { readonly userAgent?: string };
};

const runtimeName = ({ process, navigator }: Runtime): string => {
  const node = process?.versions?.node;
  return (node ? `node/${node}` : navigator?.userAgent || 'unknown').slice(0, WORD_CHARS_MAX);
};

export const getSdkIdentity = () => ({ name: SDK_NAME, version: SDK_VERSION, runtime: runtimeName(globalThis) });
