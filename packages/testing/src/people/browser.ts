/** Address handling of a browser: it follows redirects, and keeps the cookies of each host and port separately. */
export type Browser = {
  /** Sends one request without following redirects. */
  readonly ask: (url: string, init?: RequestInit) => Promise<Response>;
  /** Follows redirects until there is none, or `stop` returns true for the next address. */
  readonly follow: (
    url: string,
    stop?: (next: string) => boolean,
  ) => Promise<{ readonly url: string; readonly response: Response | undefined }>;
  /** Returns the cookies that are sent to an origin. */
  readonly cookies: (origin: string) => ReadonlyMap<string, string>;
};

const HOPS_MAX = 20;

export const newBrowser = (headers: Readonly<Record<string, string>> = {}): Browser => {
  const jars = new Map<string, Map<string, string>>();
  const getJar = (origin: string): Map<string, string> => {
    const jar = jars.get(origin) ?? new Map<string, string>();
    jars.set(origin, jar);
    return jar;
  };
  const ask = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const jar = getJar(new URL(url).origin);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const sent = { ...headers, ...(init.headers as Record<string, string> | undefined), ...(cookie === '' ? {} : { cookie }) };
    const response = await fetch(url, { ...init, redirect: 'manual', headers: sent });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
      if (value === '' || /max-age=0(;|$)/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  };
  return {
    ask,
    cookies: getJar,
    follow: async (start, stop = () => false) => {
      let url = start;
      for (let hop = 0; hop < HOPS_MAX; hop += 1) {
        if (stop(url)) return { url, response: undefined };
        const response = await ask(url);
        const location = response.headers.get('location');
        if (response.status < 300 || response.status > 399 || location === null) return { url, response };
        url = new URL(location, url).href;
      }
      throw new Error(`redirected more than ${HOPS_MAX} times, last to ${url}`);
    },
  };
};
