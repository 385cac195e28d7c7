/**
 * Wire format of an endpoint: the encoding of its request, response and errors. `stream`: server-sent events; `form`: form body with a JSON
 * response (OAuth); `ext-authz`: Envoy external authorization; `rpc`: JSON-RPC; `page`: HTML for browsers; `posted-page`: response to a
 * cross-site form post; `bytes`: another media type; `download`: a file generated while it is sent; `file`: an upload.
 */
export type WireName =
  | 'json'
  | 'stream'
  | 'form'
  | 'scim'
  | 'authzen'
  | 'ext-authz'
  | 'rpc'
  | 'mcp'
  | 'a2a'
  | 'a2a-push'
  | 'page'
  | 'posted-page'
  | 'bytes'
  | 'download'
  | 'file';
