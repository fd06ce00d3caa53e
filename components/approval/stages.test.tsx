import { describe, expect, it } from 'vitest';
import { REQUEST_KINDS } from '@/lib/domain/decisions';
import { render } from '@/lib/testing/render';
import { REQUEST } from '@/lib/testing/request-view';
import { Stages } from './stages';

describe('how far a request is', () => {
  it.each(REQUEST_KINDS)(
    'R-083b a finished %s is recorded here, and says that nothing was done outside by it',
    (kind) => {
      const done = render(<Stages request={{ ...REQUEST, kind, state: 'EXECUTED' }} />);
      expect(done).toMatch(/Recorded in Onceover.*Nothing was done outside by that/);
      expect(done).not.toContain('in the ledger');
      const korean = render(<Stages request={{ ...REQUEST, kind, state: 'EXECUTED' }} />, 'ko');
      expect(korean).toMatch(/Onceover에 기록.*외부에서 이루어진 일은 없/);
      expect(render(<Stages request={{ ...REQUEST, kind, state: 'PENDING' }} />)).not.toContain(
        'done outside',
      );
    },
  );
});
