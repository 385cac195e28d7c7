import { printResult } from '../output/print.ts';
import type { RunCommand } from '../session/hand-command.ts';

export const showVersion: RunCommand = async (cli, _, { check }) => {
  if (check !== true) {
    printResult(cli, { version: cli.version, node: process.version }, () => cli.io.out(cli.version));
    return;
  }
  const { client } = await cli.connect();
  const info = await client.getInfo();
  printResult(cli, {
    version: cli.version,
    node: process.version,
    service: info.version,
    base_url: info.base_url,
    gateway_url: info.gateway_url,
  });
};
