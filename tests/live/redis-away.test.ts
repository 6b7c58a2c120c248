import t from 'tap'
import { checkOutage } from '#tests/support/redis-outage.ts'

t.test('keeps working and loses nothing without Redis', (t) => checkOutage(t, 'cut'))
