import { producerApi } from '@/lib/ledger/http/serve-producer-api';

export const dynamic = 'force-dynamic';

const handle = (request: Request) => producerApi().fetch(request);

// Every method comes here, so that a wrong one is answered by the API itself.
export {
  handle as DELETE,
  handle as GET,
  handle as HEAD,
  handle as OPTIONS,
  handle as PATCH,
  handle as POST,
  handle as PUT,
};
