"""What pytest needs of Ragassay: the plugin, single answers asserted, and a summary of what was scored."""
