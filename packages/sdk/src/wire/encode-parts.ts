export const encoder = new TextEncoder();

export const base64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/** A part of a compact JWS. */
export const encoded = (value: object): string => base64Url(encoder.encode(JSON.stringify(value)));
