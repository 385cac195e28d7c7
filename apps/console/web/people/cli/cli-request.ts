/** What a terminal asks, as the plane shows it to whoever decides. */
export type CliRequest = {
  readonly request_id: string;
  readonly flow: 'LOOPBACK' | 'DEVICE';
  readonly user_code: string | null;
  readonly client: { readonly hostname: string | null; readonly platform: string | null; readonly version: string | null };
  readonly source_ip: string;
  readonly same_address: boolean;
  readonly created_at: string;
  readonly expires_at: string;
};
