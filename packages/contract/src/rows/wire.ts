/**
 * How a request is read and its response written: a JSON body and a JSON response, a stream of server-sent events, a form with a JSON
 * response (OAuth), the media type and errors of SCIM, AuthZEN, external authorization, JSON-RPC, the Model Context Protocol, Agent2Agent and its push notifications, a page for browsers, a
 * response to a cross-site form post, bytes of another media type, a file that is generated while it is read, or an upload.
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
