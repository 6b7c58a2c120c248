import type { AdminUser } from '#shared/schemas/admin.ts'
import type { Act } from '#server/features/audit/audit.service.ts'

export const asSubject = (user: Pick<AdminUser, 'id' | 'name' | 'email'>): Act['subject'] => ({
  kind: 'user',
  id: user.id,
  name: user.name || user.email,
})
