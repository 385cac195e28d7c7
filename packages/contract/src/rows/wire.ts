/**
 * How a request is read and its answer written: a JSON body and a JSON answer, a stream of server-sent events, a form with a JSON answer
 * (OAuth), the media type and errors of SCIM, AuthZEN, external authorization of a proxy, JSON-RPC, the Model Context Protocol, Agent2Agent, a page for browsers, one that answers the form that a page of another site posts,
 * bytes of another media type, a file that is made while it is read, or one that is sent.
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
  | 'page'
  | 'posted-page'
  | 'bytes'
  | 'download'
  | 'file';
