import t from 'tap'
import { checkOutage } from '#tests/support/redis-outage.ts'

t.test('with Redis gone, work goes on and nothing is lost', (t) => checkOutage(t, 'cut'))
