import { show } from '#tests/support/screen.tsx'
import { fireEvent, screen, within } from '@testing-library/react'
import { type ReactNode, useState } from 'react'
import t, { type Test } from 'tap'
import { AdminHealth } from '#client/features/admin/home/admin-health.tsx'
import { LoginForm } from '#client/features/auth/login-form.tsx'
import { AddOnsCard } from '#client/features/billing/plan/add-ons-card.tsx'
import { CheckoutForm } from '#client/features/billing/checkout/checkout-form.tsx'
import { CurrentSubscription } from '#client/features/billing/plan/current-subscription.tsx'
import { OnboardingPlan } from '#client/features/billing/checkout/onboarding-plan.tsx'
import { Subscribe } from '#client/features/billing/checkout/subscribe.tsx'
import { DirectSales } from '#client/features/dashboard/direct-sales.tsx'
import { ProfileForm } from '#client/features/onboarding/profile-form.tsx'
import { PostDialog } from '#client/features/posting/post-dialog.tsx'
import { SinglePost } from '#client/features/posts/single-post.tsx'
import { AuthStatus } from '#shared/schemas/auth.ts'
import {
  AddOn,
  ClientSecret,
  type MySubscription,
  MySubscription as MySubscriptionAnswer,
  PaymentConfig,
  SubscriptionPlan,
} from '#shared/schemas/billing.ts'
import Type from 'typebox'
import { fill, press } from '#tests/support/controls.ts'
import { answer, away, fakeNetwork, http, HttpResponse, refuseFirst } from '#tests/support/network.ts'
import { addFiles, aPicture, me, postingNetwork, vin } from '#tests/support/posting.ts'

const premium = { id: 'premium', name: 'Premium Plan', price: 149, features: [], connectionLimit: null }
const subscription: NonNullable<MySubscription['subscription']> = {
  status: 'active',
  currentPeriodEnd: '2026-12-20T10:00:00.000Z',
  cancelAtPeriodEnd: false,
  complimentary: false,
  givenUntil: null,
  price: 149,
  plan: { id: 'premium', name: 'Premium Plan' },
  addOns: [],
}
const status: AuthStatus = {
  authenticated: false,
  session: null,
  demo: true,
  google: false,
  billing: true,
  sampleLogin: { email: 'demo@lanewire.example', password: 'sample password' },
  secondFactor: null,
}

const ignore = () => undefined
const withoutLicense = { renderLicense: () => null, checkLicense: () => ({}) }
const profile = {
  firstName: 'Ann',
  lastName: 'Lee',
  phone: '(214) 555-0100',
  address: '1 Main Street',
  city: 'Dallas',
  state: 'TX',
  zipCode: '75219',
  country: 'US',
  dealershipName: 'Lee Autos',
  dealershipType: 'franchise',
  auctionAccessNumber: '5123456',
  dealership5MilNumber: '5012345',
} as const

function reads(t: Test) {
  const network = fakeNetwork(t)
  network.use(
    http.get('*/api/auth/status', () => answer(AuthStatus, status)),
    http.get('*/api/subscription-plans', () => answer(Type.Array(SubscriptionPlan), [premium])),
    http.get('*/api/my-subscription', () =>
      answer(MySubscriptionAnswer, { hasSubscription: false, entitlements: [], subscription: null }),
    ),
    http.get('*/api/payment-config', () => answer(PaymentConfig, { form: 'card-form', publishableKey: null })),
    http.patch('*/api/onboarding', () => new HttpResponse(null, { status: 204 })),
  )
  return network
}

async function payByDummy(button: string) {
  await press('Fill Dummy Payment')
  await press(button)
}

interface Failure {
  what: string
  call: `/api/${string}`
  title: string
  otherwise: string
  screen: ReactNode
  act: () => Promise<void>
}

const failures: Failure[] = [
  {
    what: 'login',
    call: '/api/auth/login',
    title: 'Login Failed',
    otherwise: 'Invalid email or password',
    screen: <LoginForm />,
    act: async () => {
      await screen.findByLabelText('Email')
      fireEvent.submit(screen.getByLabelText('Email').closest('form')!)
    },
  },
  {
    what: 'sign-up',
    call: '/api/auth/signup',
    title: 'Signup Failed',
    otherwise: 'Failed to create account',
    screen: <LoginForm initialMode="signup" />,
    act: async () => {
      await screen.findByLabelText('Email')
      fill('Email', 'ann@lee.example')
      fill('Password', 'sample password')
      fill('Confirm password', 'sample password')
      fireEvent.submit(screen.getByLabelText('Email').closest('form')!)
    },
  },
  {
    what: 'the demo account',
    call: '/api/auth/create-dummy',
    title: 'Error',
    otherwise: 'Failed to create demo account',
    screen: <LoginForm />,
    act: () => press('Quick Login as Demo User'),
  },
  {
    what: 'the dealer profile',
    call: '/api/auth/complete-profile',
    title: 'Error',
    otherwise: 'Failed to save profile',
    screen: (
      <ProfileForm
        {...withoutLicense}
        draft={profile}
        email="ann@lee.example"
        demo={false}
        onChangeEmail={ignore}
        onSaved={ignore}
      />
    ),
    act: () => press('Save and choose a plan'),
  },
  {
    what: 'the payment of onboarding',
    call: '/api/auth/complete-subscription',
    title: 'Payment Failed',
    otherwise: 'Failed to process payment',
    screen: (
      <OnboardingPlan initialPlanId="premium" dealershipName="Lee Autos" demo onChoose={ignore} onPaid={ignore} />
    ),
    act: () => payByDummy('Complete Payment'),
  },
  {
    what: 'the payment of the checkout',
    call: '/api/auth/complete-subscription',
    title: 'Payment Failed',
    otherwise: 'Unable to process payment',
    screen: <CheckoutForm plan={premium} demo onPaid={ignore} />,
    act: () => payByDummy('Complete Payment'),
  },
  {
    what: 'the creation of a subscription',
    call: '/api/get-or-create-subscription',
    title: 'Error',
    otherwise: 'Failed to create subscription',
    screen: <Subscribe demo />,
    act: () => press(/^Get Started/),
  },
  {
    what: 'the cancellation of a subscription',
    call: '/api/cancel-subscription',
    title: 'Error',
    otherwise: 'Failed to cancel subscription',
    screen: <CurrentSubscription subscription={subscription} title="Current Subscription" />,
    act: async () => {
      await press('Cancel Subscription')
      const dialog = within(await screen.findByRole('alertdialog'))
      fireEvent.click(dialog.getByRole('button', { name: 'Cancel Subscription' }))
    },
  },
]

const wordless: Record<string, () => Response> = {
  'an empty answer': () => new HttpResponse(null, { status: 500 }),
  'a page in its place': () => HttpResponse.html('<h1>502 Bad Gateway</h1>', { status: 502 }),
  'a refusal without words': () =>
    HttpResponse.json({ error: { code: 'conflict', message: '', requestId: 'test' } }, { status: 409 }),
}

async function saysInRed(t: Test, title: string, sentence: string) {
  const said = await screen.findByText(sentence, { selector: 'li *' })
  const toast = said.closest('li')
  t.equal(toast?.textContent.slice(0, title.length + sentence.length), title + sentence)
  t.match(toast?.className, 'bg-danger', 'destructive')
}

for (const { what, call, title, otherwise, screen: form, act } of failures)
  t.test(`shows "${title}" with the server's message for ${what}, or "${otherwise}"`, async (t) => {
    for (const [kind, refuse] of Object.entries(wordless))
      await t.test(kind, async (t) => {
        reads(t).use(http.post(`*${call}`, refuse))
        show(t, form)
        await act()
        await saysInRed(t, title, otherwise)
      })
    await t.test("shows the server's message", async (t) => {
      reads(t).use(http.post(`*${call}`, away))
      show(t, form)
      await act()
      await saysInRed(t, title, 'The database is away')
    })
  })

t.test("shows the provider's message for a failed payment on the subscribe page", async (t) => {
  reads(t).use(
    http.post('*/api/get-or-create-subscription', () => answer(ClientSecret, { clientSecret: 'secret' })),
    http.post('*/api/demo-payments/confirm', () =>
      HttpResponse.json(
        { error: { code: 'payment_required', message: 'Your card was declined.', requestId: 'test' } },
        { status: 402 },
      ),
    ),
  )
  show(t, <Subscribe demo />)
  await press(/^Get Started/)
  await payByDummy('Subscribe Now')
  await saysInRed(t, 'Payment Failed', 'Your card was declined.')
})

interface Omission {
  what: string
  title: string
  sentence: string
  screen: ReactNode
  act: () => Promise<void>
}

const submitCredentials = async (values: Record<string, string>) => {
  await screen.findByLabelText('Email')
  for (const [label, value] of Object.entries(values)) fill(label, value)
  fireEvent.submit(screen.getByLabelText('Email').closest('form')!)
}

const without = (label: string) => async () => {
  await press('Fill Dummy Payment')
  fill(label, '')
  await press('Complete Payment')
}

const omissions: Omission[] = [
  {
    what: 'login',
    title: 'Missing Information',
    sentence: 'Please fill in all required fields',
    screen: <LoginForm />,
    act: () => submitCredentials({ Password: '' }),
  },
  {
    what: 'sign-up',
    title: 'Password Mismatch',
    sentence: 'Passwords do not match',
    screen: <LoginForm initialMode="signup" />,
    act: () =>
      submitCredentials({
        Email: 'ann@lee.example',
        Password: 'sample password',
        'Confirm password': 'another password',
      }),
  },
  {
    what: 'the dealer profile',
    title: 'Missing Information',
    sentence: 'Please fill in zip code',
    screen: (
      <ProfileForm
        {...withoutLicense}
        draft={{ ...profile, zipCode: '' }}
        email="ann@lee.example"
        demo={false}
        onChangeEmail={ignore}
        onSaved={ignore}
      />
    ),
    act: () => press('Save and choose a plan'),
  },
  {
    what: 'the card of onboarding',
    title: 'Missing Information',
    sentence: 'Please fill in all payment fields',
    screen: (
      <OnboardingPlan initialPlanId="premium" dealershipName="Lee Autos" demo onChoose={ignore} onPaid={ignore} />
    ),
    act: without('CVV'),
  },
  {
    what: 'the card of the checkout',
    title: 'Missing Information',
    sentence: 'Please fill in name on card',
    screen: <CheckoutForm plan={premium} demo onPaid={ignore} />,
    act: without('Name on card'),
  },
  {
    what: 'the address of the checkout',
    title: 'Missing Billing Information',
    sentence: 'Please fill in billing zip code',
    screen: <CheckoutForm plan={premium} demo onPaid={ignore} />,
    act: without('ZIP code'),
  },
]

for (const { what, title, sentence, screen: form, act } of omissions)
  t.test(`shows "${title}" and "${sentence}" for an incomplete ${what}`, async (t) => {
    reads(t)
    show(t, form)
    await act()
    await saysInRed(t, title, sentence)
  })

t.test('shows "Post not found" and a link to the feed for a missing post', async (t) => {
  for (const [kind, refuse] of Object.entries(wordless))
    await t.test(kind, async (t) => {
      fakeNetwork(t).use(http.get('*/api/inventory/:id', refuse))
      show(t, <SinglePost postId="019ab9a4-0000-7000-8000-000000000001" />)
      await screen.findByRole('heading', { name: 'Post not found' })
      t.equal(screen.getByRole('link', { name: 'Back to Feed' }).getAttribute('href'), '/')
    })
})

function Inventory() {
  const [open, setOpen] = useState(true)
  return <PostDialog open={open} onOpenChange={setOpen} />
}

t.test('shows "Photo upload failed" and "Failed to upload {file name}"', async (t) => {
  const { files } = postingNetwork(t)
  files.broken = 'image/gif'
  show(t, <Inventory />, me)
  await screen.findByLabelText('Title')
  addFiles('Add photos', aPicture('rear.gif', 'image/gif'))
  await saysInRed(t, 'Photo upload failed', 'Failed to upload rear.gif')
})

t.test('shows "Error posting inventory" with the message of the server', async (t) => {
  const refusals: [() => Response, string][] = [
    [away, 'The database is away'],
    [() => HttpResponse.text('Too many posts today', { status: 429 }), 'Too many posts today'],
  ]
  for (const [refuse, message] of refusals)
    await t.test(message, async (t) => {
      postingNetwork(t, refuse)
      show(t, <Inventory />, me)
      await screen.findByLabelText('Title')
      fill('Title', 'A clean truck')
      fill('VIN', vin)
      fill('Year', '2022')
      fill('Make', 'Ford')
      fill('Model', 'F-150')
      fill('Mileage', '48210')
      fill('Price', '31900')
      await press('Post Inventory')
      await saysInRed(t, 'Error posting inventory', message)
    })
})

t.test('shows an error with Retry for add-ons that failed to load', async (t) => {
  const network = fakeNetwork(t)
  const addOn = { id: 'premium-add-on', name: 'Premium Add-on', description: 'What Premium has', price: 50 }
  network.use(http.get('*/api/add-ons', () => answer(Type.Array(AddOn), [addOn])))
  const refuse = refuseFirst(network, '*/api/add-ons')
  show(t, <AddOnsCard subscription={{ ...subscription, plan: { id: 'basic', name: 'Basic Plan' }, addOns: [] }} />)
  refuse()
  t.match((await screen.findByRole('alert')).textContent, /could not be loaded.*The database is away/)
  await press('Retry')
  t.ok(await screen.findByRole('button', { name: 'Add Premium Add-on' }))
  t.equal(screen.queryByRole('alert'), null)
})

t.test('shows dashes for missing figures and an unknown network health in words', async (t) => {
  fakeNetwork(t).use(http.get('*/api/dashboard', away), http.get('*/api/ops/health', away))
  show(
    t,
    <>
      <DirectSales />
      <AdminHealth />
    </>,
  )
  for (const label of ['Vehicles Sold', 'Vehicles Pending', 'Near Deals'])
    t.ok(await screen.findByRole('button', { name: `–${label}` }))
  t.ok(await screen.findByText('Network health could not be loaded'))
})
