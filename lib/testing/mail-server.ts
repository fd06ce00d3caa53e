// A mail server on this machine: keeps what it takes and answers as told.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface MailServer {
  url: string;
  /** Whole messages as they came over the wire, with whom they were for. */
  arrived: { to: string[]; from: string; text: string }[];
  /** The next recipients: accepted, refused with this status, or never answered. */
  answer: (next: 'accept' | 'hang' | number) => void;
  close: () => Promise<void>;
}

export async function mailServer(): Promise<MailServer> {
  const arrived: MailServer['arrived'] = [];
  let how: 'accept' | 'hang' | number = 'accept';
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    onRcptTo: (_address, _session, answer) => {
      if (how === 'hang') return;
      if (how === 'accept') return answer();
      answer(Object.assign(new Error('mailbox hana@demo.local refused'), { responseCode: how }));
    },
    onData: (stream, session, answer) => {
      let text = '';
      stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      stream.on('end', () => {
        const { rcptTo, mailFrom } = session.envelope;
        arrived.push({
          to: rcptTo.map(({ address }) => address),
          from: mailFrom ? mailFrom.address : '',
          text,
        });
        answer();
      });
    },
  });
  server.on('error', () => undefined); // a client that gives up in the middle
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    arrived,
    answer: (next) => {
      how = next;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
