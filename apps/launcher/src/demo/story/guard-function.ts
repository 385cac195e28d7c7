import { must } from '../../faults/story-fault.ts';
import type { DemoScene } from '../scene.ts';

/** Guards a function of the agent's own process, which runs only if it is permitted; its outcome is reported. */
export const guardFunction = async ({ tell, governance, owner, agentId }: DemoScene): Promise<void> => {
  tell.chapter("A function of the agent's own runs only after asking, and its outcome is recorded");
  const customers = new Map([['c-7', { name: 'Grace', email: 'grace@example.com' }]]);
  const lookUp = ({ customer }: { customer: string }) => customers.get(customer);
  const whetherFound = (found: ReturnType<typeof lookUp>) => ({ found: found !== undefined });
  const readCustomer = governance.guard('customer.read', lookUp, { result: whetherFound });
  tell.shows('code', ["const readCustomer = governance.guard('customer.read', lookUp, { result: whetherFound });"]);
  tell.asks('agent', 'readCustomer({"customer":"c-7"})');
  const found = await readCustomer({ customer: 'c-7' });
  must(found?.name === 'Grace', 'The guarded function was to run and give its own result.');
  tell.answered('good', `the function ran and returned ${JSON.stringify(found)}`);
  const { data } = await owner.ask('searchActions', { query: { agent_id: agentId, tool: 'customer.read' } }, (page) =>
    page.data.map(({ id }) => id).join(', '),
  );
  const action = await owner.ask(
    'getAction',
    { params: { actionId: data[0]?.id ?? '' } },
    ({ status, execution }) => `${status}, reported ${JSON.stringify(execution?.result)}`,
  );
  must(data.length === 1 && action.status === 'COMPLETED', 'The outcome of the guarded function was to be on record, once.');
  must(!JSON.stringify(action).includes('grace@'), 'The record was not to hold what the agent kept to itself.');
};
