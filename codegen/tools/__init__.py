"""Programs that demonstrate and measure, for the checkout only: no wheel has them."""
