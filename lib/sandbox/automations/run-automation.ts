/** The program of one automation: the supervisor forks it for each scenario, and for the executor. */
import { createLedgerClient } from '@/lib/ledger/client';
import { Automation } from './automation';
import { Executor } from './executor';
import { connectToSupervisor } from './reporter';
import { scenarioNamed } from './scenarios';

const { order, reporter } = await connectToSupervisor();
if (order.job === Executor.JOB) {
  await new Executor(order, reporter).runForever();
} else {
  const [producer] = order.producers;
  if (producer === undefined) throw new Error('bug: an order without a producer');
  const owner = `${order.job}/${process.pid}`;
  const client = createLedgerClient({ baseUrl: order.ledgerUrl, token: producer.token, owner });
  await scenarioNamed(order.job).run(new Automation(order, client, reporter));
}
process.disconnect();
