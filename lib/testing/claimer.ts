// A process of its own that makes equal claims when told to; see claimers.ts.
import type { Round } from './claimers';
import type { Ledger } from './doors/door';
import { openDoor } from './doors/open';

const ledger = JSON.parse(process.argv[2] ?? '') as Ledger;

process.on('message', (round: Round) => {
  const door = openDoor(round.door, ledger);
  Promise.all(Array.from({ length: round.count }, () => door.claim(round.sent)))
    .then(
      (answers) => process.send?.({ answers }),
      (error: unknown) => process.send?.({ error: String(error) }),
    )
    .finally(() => door.close());
});
// Its starter is gone or has had enough.
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
