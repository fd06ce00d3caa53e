// Names that answer as a test tells them to, to the system's own resolver.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import dns from 'dns-packet';

/** Per name the answers in turn; the last one stays. Each answer is addresses, or another name. */
export type Names = Record<string, readonly (readonly string[])[]>;

/** Serves `names` on 127.0.0.1:53, every answer with a life of 0 s. Another name does not exist. */
export async function serveNames(names: Names): Promise<void> {
  const server = createSocket('udp4');
  const turns = new Map<string, number>();
  server.on('message', (message, from) => {
    const asked = dns.decode(message);
    const question = asked.questions?.[0];
    if (question === undefined) return;
    const told = answersOf(names, turns, question.name, question.type);
    const flags = dns.RECURSION_DESIRED | dns.RECURSION_AVAILABLE | (told === null ? 3 : 0);
    const reply = { id: asked.id ?? 0, questions: [question], answers: told ?? [], flags };
    server.send(dns.encode({ type: 'response', ...reply }), from.port, from.address);
  });
  server.bind(53, '127.0.0.1');
  await once(server, 'listening');
}

function answersOf(
  names: Names,
  turns: Map<string, number>,
  name: string,
  type: string,
): dns.Answer[] | null {
  const answers = names[name];
  if (answers === undefined) return null;
  // One look at a name asks for both families: each has turns of its own.
  const turn = turns.get(`${type} ${name}`) ?? 0;
  turns.set(`${type} ${name}`, turn + 1);
  return (answers[Math.min(turn, answers.length - 1)] ?? []).flatMap((value): dns.Answer[] => {
    if (/[a-z]$/.test(value) && !value.includes(':')) {
      const alias: dns.Answer = { type: 'CNAME', name, data: value, ttl: 0 };
      return [alias, ...(answersOf(names, turns, value, type) ?? [])];
    }
    const family = value.includes(':') ? 'AAAA' : 'A';
    return family === type ? [{ type: family, name, data: value, ttl: 0 }] : [];
  });
}
