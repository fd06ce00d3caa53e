import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { TYPESCRIPT } from './toolchain.mjs';

it('R-049i the worker can say it: in its own process, without the pages’ React', () => {
  const program = `
    import { deliveryWays } from '@/lib/commands/delivery-ways';
    import { messageWords } from '@/lib/outbox/message-words';
    const { origin } = deliveryWays({ NEXTAUTH_URL: 'https://desk.example.com/x' });
    const about = { tenantId: 't', tenant: 'T', kind: null, exceptionId: null, requestId: null, jobId: null, jobRows: null, proposal: null };
    const words = messageWords({ items: [{ reason: 'UNOWNED', ...about }], locale: 'ko' }, origin);
    process.stdout.write(origin + ' ' + words.subject);`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [...TYPESCRIPT, '--conditions=react-server', '--input-type=module', '--eval', program],
    { encoding: 'utf8' },
  );
  expect(`${stdout}${stderr}`).toBe('https://desk.example.com Onceover 알림 1건');
});
